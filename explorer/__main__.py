"""`python -m explorer`: the command line of Tailscope."""

from explorer.runtime.interrupt import end_on_interrupt

end_on_interrupt()  # first, because the imports below take seconds

from explorer.cli.app import main  # noqa: E402

if __name__ == "__main__":
    main()
