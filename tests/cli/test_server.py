"""`hjstudy serve` says in words why it cannot."""

import socket


def test_port_that_is_taken_is_named_with_what_to_do(hjstudy):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, said = hjstudy("serve", "--port", port)
    assert code == 2
    assert f"127.0.0.1:{port}: Address already in use" in said
    assert f"HJSTUDY_PORT={port + 1}" in said
    assert "Serving" not in said
