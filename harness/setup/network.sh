# shellcheck shell=bash
# Why did a download fail? apt and pip say "nothing found" both for a missing network and for a bad
# certificate; only their logs show the difference.

# why_no_download: prints network, certificate, hash, disk, or other
why_no_download() {
  local recent
  recent=$(recent_log)
  if grep -qiE 'DO NOT MATCH THE HASHES|Hash Sum mismatch' <<<"$recent"; then
    echo hash
  elif grep -qiE 'CERTIFICATE_VERIFY_FAILED|SSLError|certificate verif|unable to get local issuer' <<<"$recent"; then
    echo certificate
  elif grep -qiE 'failure resolving|resolve host|name resolution|Name or service not known|Could not connect|Connection (refused|timed out|reset)|Network is unreachable|No route to host|connection broken|Cannot initiate the connection|(connect|read) timeout' <<<"$recent"; then
    echo network
  elif grep -qE 'No space left on device|Disk quota exceeded' <<<"$recent"; then
    echo disk
  else
    echo other
  fi
}

# no_download <what>: ends with the reason
no_download() {
  case $(why_no_download) in
    hash) not_now "$1: a downloaded file does not have the pinned SHA-256 (altered or truncated on the way; it was not used). Try again, or ask who runs the network's proxy?" ;;
    certificate) not_now "$1: cannot be downloaded (the server's certificate is not trusted here). Name your network's certificates in PIP_CERT and SSL_CERT_FILE?" ;;
    network) not_now "$1: cannot be downloaded (no answer from the network). Connect, or set https_proxy, and call again: it continues where it stopped?" ;;
    disk) full_cache "$1: cannot be downloaded" ;;
    *)
      last_lines_of_log 15
      not_now "$1: cannot be downloaded (see the lines above). Call again: it continues where it stopped?"
      ;;
  esac
}

full_cache() { not_now "$1 (the disk is full: $(free_megabytes "$cache") MB free in $cache). Free some space and call again: it continues where it stopped?"; }
