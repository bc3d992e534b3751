#!/bin/sh
# Prints the Python that the commands are set up with: the newest one that is supported, first of those that can make a virtual
# environment without further packages. Exit status 1, and why on standard error, where there is none.

supported="3.14 3.13 3.12 3.11"

version_of() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null
}

found=""
for version in $supported; do
    for name in "python$version" python3; do
        # A name may be a version manager's, which runs nothing.
        if command -v "$name" >/dev/null 2>&1 && [ "$(version_of "$name")" = "$version" ]; then
            if "$name" -c 'import ensurepip, ssl, venv' >/dev/null 2>&1; then
                echo "$name"
                exit 0
            fi
            [ -n "$found" ] || found="$name"
        fi
    done
done
if [ -n "$found" ]; then
    echo "$found"
    exit 0
fi

present="$(version_of python3)"
echo "error: Python 3.11 to 3.14 is needed, and none of them was found as python3 or python3.11 … python3.14${present:+; python3 is $present}." >&2
case "$present" in
    3.1[5-9] | 3.[2-9][0-9]) echo "Not every package that is locked has a wheel for $present yet. Install one of those beside it." >&2 ;;
esac
exit 1
