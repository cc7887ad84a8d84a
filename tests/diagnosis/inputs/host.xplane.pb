
/host:CPU