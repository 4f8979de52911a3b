"""A changed comment in a precompiled header makes it anew: a compiler cache may not hand out the one before.

    stale_header_test.py LAUNCHER... COMPILER

GCC knows a file with #pragma once by its content. A precompiled header from before the comment knows another file; what
includes it then reads its declarations twice, and the build fails.
"""
import os
import pathlib
import subprocess
import sys
import tempfile


def main():
    command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        environment = os.environ | {"CCACHE_DIR": os.path.join(folder, "cache")}

        def compiled(*arguments):
            return subprocess.run([*command, *arguments, "-Winvalid-pch", "-MD"], env=environment).returncode == 0

        for comment in ["first", "changed later"]:
            pathlib.Path("owner.hpp").write_text(f"#pragma once\n// {comment}\nstruct Owner {{ int value; }};\n")
            pathlib.Path("prelude.hpp").write_text('#include "owner.hpp"\n')
            pathlib.Path("user.cpp").write_text(f'#include "owner.hpp"\nint value = sizeof "{comment}";\n')
            pathlib.Path("prelude.hpp.gch").unlink(missing_ok=True)
            if not compiled("-x", "c++-header", "-c", "prelude.hpp", "-o", "prelude.hpp.gch"):
                return "the precompiled header is not made"
            if not compiled("-include", "prelude.hpp", "-c", "user.cpp", "-o", "user.o"):
                return f"the precompiled header is stale after the comment '{comment}'"
    return 0


if __name__ == "__main__":
    sys.exit(main())
