#!/usr/bin/env python3
"""Serves a folder on localhost and prints the address. Usage: serve.py FOLDER [PORT]; without a port, 8000 or a free one"""

import http.server
import sys
from functools import partial

USUAL_PORT = 8000


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")  # what is built anew is seen at once
        super().end_headers()

    def log_message(self, *_):
        pass


def listen(folder, ports):
    for port in ports:
        try:
            return http.server.ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=folder))
        except OSError as error:
            last = error
    raise last


def main(folder, port=None):
    try:
        server = listen(folder, [int(port)] if port else [USUAL_PORT, 0])
    except (OSError, ValueError, OverflowError) as error:
        print(f"serve: port {port or USUAL_PORT}: {error}", file=sys.stderr)
        return 1
    print(f"http://localhost:{server.server_port}/   (Ctrl-C ends)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
