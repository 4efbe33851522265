"""`python -m explorer`: the command line of Tailscope."""

from explorer.cli.app import main

if __name__ == "__main__":
    main()
