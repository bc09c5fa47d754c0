#!/usr/bin/env bash
# What ./dev demo shows: a fused softmax compiled, run on the GPU or the simulated one, and checked.
# usage: utils/demo.sh BIN_DIR
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
bin=$1
out=build/demo
source=examples/02-softmax/softmax.tile
rows=1823
cols=781
mkdir -p "$out"

# The name and compute capability of the first GPU, as "9.0 NVIDIA H200", or nothing.
find_gpu() {
  python3 - <<'PY' 2>/dev/null || true
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
device, name = ctypes.c_int(), ctypes.create_string_buffer(128)
major, minor = ctypes.c_int(), ctypes.c_int()
if not cuda.cuInit(0) and not cuda.cuDeviceGet(ctypes.byref(device), 0):
    cuda.cuDeviceGetName(name, 128, device)
    cuda.cuDeviceGetAttribute(ctypes.byref(major), 75, device)
    cuda.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)
    print(f"{major.value}.{minor.value} {name.value.decode()}")
PY
}

# The target of the list of tilec that fits a compute capability best.
target_for() {
  local wanted=sm_${1/./}
  if "$bin/tilec" --list-targets | grep -q "^${wanted}a "; then
    echo "${wanted}a"
  elif "$bin/tilec" --list-targets | grep -q "^$wanted "; then
    echo "$wanted"
  else
    echo sm_80
  fi
}

title() { printf '\n\033[1m%s\033[0m\n' "$1"; }
if [[ ! -t 1 || -n ${NO_COLOR-} ]]; then
  title() { printf '\n%s\n' "$1"; }
fi

device=sim
target=sm_90a
bench=()
gpu=$(find_gpu)
if [[ -n $gpu ]]; then
  device=cuda:0
  target=$(target_for "${gpu%% *}")
  bench=(--bench)
fi

title "1. Compile $source"
echo "The file is Triton's kernel language; the compiler takes it through its stages to PTX, without Python."
echo "\$ tilec $source --kernel=softmax --target=$target --time -o $out/softmax.ptx"
"$bin/tilec" "$source" --kernel=softmax --target="$target" --time -o "$out/softmax.ptx" 2>"$out/time" ||
  { cat "$out/time" >&2; exit 1; }
sed 's/^/    /' "$out/time"

title "2. The PTX ($(wc -l <"$out/softmax.ptx") lines; the first of the kernel)"
awk '/^\.visible|^\.version|^\.target/ { print "    " $0 } /^{/ { body = 1 } body && n < 14 { print "    " $0; n++ }' \
  "$out/softmax.ptx"

title "3. Run it on $device and compare with ref"
command=(tile-run "$source" --kernel=softmax --device="$device" --grid="$rows"
  --arg "x=randn($rows,$cols):fp32" --arg "out=zeros($rows,$cols):fp32"
  --arg "stride=$cols" --arg "n=$cols" --compare=ref "${bench[@]}")
echo "sim runs the code that a GPU would get, on the CPU, and checks every access; ref interprets the source."
printf '$'
for word in "${command[@]}"; do
  if [[ $word == *[\(\)]* ]]; then word="'$word'"; fi
  printf ' %s' "$word"
done
printf '\n'
begin=$(date +%s%N)
status=0
PATH=$bin:$PATH "${command[@]}" >"$out/run" 2>"$out/run.err" || status=$?
took=$((($(date +%s%N) - begin) / 1000000))
sed 's/^/    /' "$out/run"
if [[ ! -s $out/run ]]; then
  cat "$out/run.err" >&2
  exit 1
fi

title "4. Result"
compile_ms=$(awk '$1 == "total" { print $2 }' "$out/time")
read -r mean < <(awk '$1 == "out" && $2 == "fp32" { print $6; exit }' "$out/run")
read -r error ulp wrong rtol atol < <(awk '/^compared/ { on = 1 } on && $1 == "out" { print $2, $3, $4, $5, $6; exit }' "$out/run")
row() { printf '    %-20s %s\n' "$1" "$2"; }
row "kernel" "softmax of $rows rows of $cols floats, one program a row, each row read and written once"
row "ran on" "$(head -n 1 "$out/run")"
row "programs" "$(sed -n "2s/^kernel '[^']*', //p" "$out/run")"
row "compared with" "ref, the interpreter of the language, element by element"
row "elements" "$((rows * cols)) compared, $wrong wrong"
row "largest difference" "$error ($ulp ulp); allowed $atol + $rtol of the value"
row "a row sums to" "$(awk -v mean="$mean" -v n="$cols" 'BEGIN { printf "%.5f on average", mean * n }')"
row "time" "compiled in $compile_ms ms; ran and was checked in $took ms"
if [[ $device == sim ]]; then
  row "" "(simulated: each access, barrier and shared byte was checked too)"
else
  row "" "$(grep ' launches ' "$out/run")"
fi
if [[ $status -ne 0 ]]; then
  row "verdict" "WRONG"
  exit 1
fi
row "verdict" "right"
