tune rnu scenarios/resnet18.yaml
expect_status 2
expect_said "'rnu': no such command"
expect_not_called .
