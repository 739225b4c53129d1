# Sourced by the scripts beside this folder, from any directory. Leaves `bun` and the tools of
# node_modules on PATH, with the dependencies of the lockfile in place. Needs no network when both
# are there already.

BUN_VERSION=1.4.5
CALLED_FROM=$PWD
ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$ROOT" || exit 1

is_pinned_bun() {
  [ -x "$1" ] && [ "$("$1" --version 2>/dev/null)" = "$BUN_VERSION" ]
}

# npm keeps install scripts from running, so the `bun` package may still hold its placeholder: the
# platform packages beside it carry the real program, and only the one made for this machine runs.
find_bun() {
  for candidate in .bun/node_modules/.bin/bun .bun/node_modules/@oven/bun-*/bin/bun .bun/bin/bun \
    "$(command -v bun)"; do
    if is_pinned_bun "$candidate"; then
      echo "$candidate"
      return 0
    fi
  done
  return 1
}

install_bun() {
  if ! command -v npm >/dev/null 2>&1; then
    echo "Bun $BUN_VERSION is needed; without npm get it with: curl -fsSL https://bun.com/install | BUN_INSTALL='$ROOT/.bun' bash -s bun-v$BUN_VERSION" >&2
    exit 1
  fi
  echo "installing Bun $BUN_VERSION into .bun/ …" >&2
  npm install --prefix .bun --ignore-scripts --no-package-lock --no-audit --no-fund --no-update-notifier \
    --loglevel=error "bun@$BUN_VERSION" >&2 || {
    echo "npm could not install bun@$BUN_VERSION (its message is above); the first run needs a network" >&2
    exit 1
  }
}

# A mirror that npm is set up for serves Bun's installs too; Bun reads fewer of npm's files.
use_npm_registry() {
  [ -z "${BUN_CONFIG_REGISTRY:-}" ] && [ -z "${NPM_CONFIG_REGISTRY:-}" ] || return 0
  command -v npm >/dev/null 2>&1 || return 0
  BUN_CONFIG_REGISTRY=$(npm config get registry 2>/dev/null)
  case $BUN_CONFIG_REGISTRY in
    http*) export BUN_CONFIG_REGISTRY ;;
    *) unset BUN_CONFIG_REGISTRY ;;
  esac
}

# The stamp holds the checksum of the lockfile that node_modules was installed from.
install_dependencies() {
  stamp=node_modules/.veriroute-lockfile
  wanted=$(cksum <bun.lock)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
    return 0
  fi
  use_npm_registry
  bun install --frozen-lockfile >&2 || exit 1
  echo "$wanted" >"$stamp"
}

BUN=$(find_bun) || {
  install_bun
  BUN=$(find_bun) || {
    echo "no program in .bun/ runs as Bun $BUN_VERSION on this machine: remove .bun/ and try again, or install Bun $BUN_VERSION yourself" >&2
    exit 1
  }
}
# The name npm links is the one that people and editors look for: it must not stay a placeholder.
case $BUN in
  .bun/node_modules/@oven/*) ln -sf "../../../$BUN" .bun/node_modules/.bin/bun ;;
esac
case $BUN in
  /*) ;;
  *) BUN=$ROOT/$BUN ;;
esac
PATH=$(dirname "$BUN"):$ROOT/node_modules/.bin:$PATH
export PATH
install_dependencies
