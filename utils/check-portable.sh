#!/usr/bin/env bash
# The release build needs nothing but glibc 2.36: checks what its files link and export, then runs
# them in a root folder that holds ld.so, libc and libm alone (as root; skipped otherwise).
# usage: utils/check-portable.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
build=${1:-build/release}
files=("$build/bin/tilec" "$build/bin/tile-run" "$build/bin/tile-opt" "$build/lib/libtilec.so")

fail() {
  printf 'check-portable: %s\n' "$*" >&2
  exit 1
}

for file in "${files[@]}"; do
  [[ -e $file ]] || fail "$file is missing: ./dev build release"
  other=$(ldd "$file" | awk '{ print $1 }' | grep -v -E '^(linux-vdso|libm|libc|/lib64/ld-linux-x86-64)\.so' || true)
  [[ -z $other ]] || fail "$file needs $other"
  newest=$(objdump -T "$file" | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -n 1)
  [[ $(printf '%s\nGLIBC_2.36\n' "$newest" | sort -V | tail -n 1) == GLIBC_2.36 ]] || fail "$file needs $newest"
  printf '%-28s %6.1f MB, %s\n' "$(basename "$file")" "$(du -Lk "$file" | awk '{ print $1 / 1024 }')" "$newest"
done
exported=$(nm -D --defined-only "$build/lib/libtilec.so" | awk '{ print $3 }' | grep -v -E '^(tilec_|TILEC)' || true)
[[ -z $exported ]] || fail "libtilec.so exports $(head -n 3 <<<"$exported" | tr '\n' ' ')"

if [[ $(id -u) -ne 0 ]]; then
  echo "not root: the files were not run in a bare root folder"
  exit 0
fi
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/lib64" "$root/lib/x86_64-linux-gnu" "$root/tmp" "$root/proc" "$root/examples"
cp -L /lib64/ld-linux-x86-64.so.2 "$root/lib64/"
cp -L /lib/x86_64-linux-gnu/lib{c,m}.so.6 "$root/lib/x86_64-linux-gnu/"
cp -L "${files[@]}" "$root/"
cp -r examples/02-softmax "$root/examples/"
chroot "$root" /tilec --version
chroot "$root" /tile-opt --version >/dev/null
chroot "$root" /tilec examples/02-softmax/softmax.tile --kernel=softmax -o /tmp/softmax.ptx
grep -q '^.visible .entry softmax' "$root/tmp/softmax.ptx" || fail "no PTX came out of the bare root folder"
chroot "$root" /tile-run examples/02-softmax/softmax.tile --kernel=softmax --device=sim --grid=9 \
  --arg 'x=randn(9,781):fp32' --arg 'out=zeros(9,781):fp32' --arg stride=781 --arg n=781 --compare=ref >/dev/null
echo "tilec, tile-opt and tile-run ran with ld.so, libc and libm alone"
