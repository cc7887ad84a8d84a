everything_installed
# in_terminal <columns> <bash>: what is sent to a terminal of that width
in_terminal() {
  in_box real-python3 - "$@" <<'PYTHON'
import fcntl, os, pty, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execvp("bash", ["bash", "-c", 'source "$CLONE/harness/setup/prepare.sh"; unset SECONDS; SECONDS=0; ' + sys.argv[2]])
sent = b""
try:
    while some := os.read(terminal, 4096):
        sent += some
except OSError:
    pass
os.waitpid(child, 0)
print(repr(sent.decode()))
PYTHON
}
renewed='begin_line "configuring for a while" nothing_to_add; SECONDS=1; draw_line; SECONDS=12; draw_line; erase_line'
[[ $(in_terminal 60 "$renewed") == "'\\rtune: configuring for a while (1 s)\\x1b[K\\rtune: configuring for a while (12 s)\\x1b[K\\r\\x1b[K'" ]] ||
  broken "not one line: $(in_terminal 60 "$renewed")"
[[ $(in_terminal 21 "$renewed") == "'\\rtune: configuring fo\\x1b[K\\rtune: configuring fo\\x1b[K\\r\\x1b[K'" ]] ||
  broken "not cut to the terminal: $(in_terminal 21 "$renewed")"
# A command that ends at once shows nothing.
[[ $(in_terminal 60 'mkdir -p "$root/build"; with_progress configuring nothing_to_add true') == "''" ]] || broken "something is shown"
