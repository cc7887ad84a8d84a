# shellcheck shell=bash
# Debian packages: installed if we may, otherwise unpacked into the cache.

# how_to_get_packages: sets packages_go_to, or ends when $missing cannot be installed here
how_to_get_packages() {
  which_distribution
  local command="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  if [[ $distribution != "debian 12" ]]; then
    wrong_here "this is ${distribution}, and missing packages are installed automatically only on Debian 12 (missing, by Debian's names: ${missing[*]}). Install $kLibraries, and name your LibTorch $kTorchVersion with TUNE_TORCH_DIR?"
  fi
  as_root=()
  packages_go_to=${system:-/}
  if [[ $(id -u) != 0 ]]; then
    if sudo -n true 2>/dev/null; then
      as_root=(sudo -n --preserve-env)
    elif [[ " ${missing[*]} " == *" g++ "* ]]; then
      wrong_here "no compiler, and no right to install one (you are not root). An administrator can run: $command?"
    else
      packages_go_to=$overlay
    fi
  fi
}

# get_packages: installs or unpacks everything in $missing
get_packages() {
  mark_log
  if [[ $packages_go_to != "$overlay" ]]; then
    install_packages
  else
    unpack_packages || wrong_here "the packages could not be unpacked without root (see $log). An administrator can run: apt-get install ${missing[*]}?"
  fi
  hash -r
}

install_packages() {
  # Exits 0 without a network; the installation that follows then fails, and its log says why.
  with_progress_in_front "refreshing the package lists" nothing_to_add apt_get update || true
  if ! with_progress_in_front "installing Debian packages" packages_so_far apt_get install "${missing[@]}"; then
    if recent_log | grep -q 'dpkg was interrupted'; then
      with_progress_in_front "finishing an interrupted installation" nothing_to_add "${as_root[@]}" dpkg --configure -a || true
      with_progress_in_front "installing Debian packages" packages_so_far apt_get install "${missing[@]}" && return
    fi
    no_download "Debian packages (${missing[*]})"
  fi
}

apt_get() {
  DEBIAN_FRONTEND=noninteractive LC_ALL=C "${as_root[@]}" apt-get --yes --no-install-recommends \
    -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@"
}

packages_so_far() {
  progress=$(recent_log | awk '/newly installed/ {all = $3} /^Get:/ {got++} /^Unpacking / {unpacked++} /^Setting up / {ready++}
    END {if (all) printf "%d of %d downloaded, %d unpacked, %d set up", got, all, unpacked, ready}')
}

# A plain user's own package lists and archive folder; installed packages are not fetched again.
own_apt_get() {
  local apt=$cache/apt
  mkdir -p "$apt/state/lists/partial" "$apt/archives/partial"
  LC_ALL=C apt-get --yes --no-install-recommends -o Debug::NoLocking=1 -o APT::Sandbox::User= -o Dir::State="$apt/state" \
    -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$apt" -o Dir::Cache::archives="$apt/archives" "$@"
}

unpack_packages() {
  local archive archives partial=$overlay.partial
  with_progress "refreshing the package lists" nothing_to_add own_apt_get update || true
  with_progress "downloading Debian packages" nothing_to_add own_apt_get install --download-only "${missing[@]}" ||
    no_download "Debian packages (${missing[*]})"
  remove "$partial"
  mkdir -p "$partial"
  [[ ! -d $overlay ]] || cp -a "$overlay/." "$partial/"
  mapfile -t archives < <(wanted_archives)
  ((${#archives[@]})) || return
  for archive in "${archives[@]}"; do
    dpkg-deb -x "$cache/apt/archives/$archive" "$partial" || return
  done
  link_to_system_libraries "$partial"
  collect_certificates "$partial"
  remove "$overlay"
  mv "$partial" "$overlay"
  remove "$cache/apt/archives"
  use_overlay
}

# The missing packages' files, as apt names them: others may be left from an interrupted call.
wanted_archives() {
  own_apt_get install --simulate "${missing[@]}" 2>>"$log" |
    sed -nE 's/^Inst ([^ ]+) (\[[^]]*\] )?\(([^ ]+) .*\[([^]]+)\]\).*/\1_\3_\4.deb/p' | sed 's/:/%3a/g'
}

# libyaml-cpp.so → libyaml-cpp.so.0.7 dangles when the library itself is installed and only its headers were unpacked.
link_to_system_libraries() {
  local link target
  while read -r link; do
    target=/$libraries/$(basename "$(readlink "$link")")
    [[ ! -e $target ]] || ln -sf "$target" "$link"
  done < <(find "$1/usr/lib" -xtype l 2>/dev/null)
}

# Does what the package's installation script would do.
collect_certificates() {
  local bundle=$1/etc/ssl/certs/ca-certificates.crt
  compgen -G "$1/usr/share/ca-certificates/mozilla/*.crt" >/dev/null || return 0
  mkdir -p "$(dirname "$bundle")"
  cat "$1"/usr/share/ca-certificates/mozilla/*.crt >"$bundle"
}
