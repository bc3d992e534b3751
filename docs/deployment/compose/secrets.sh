#!/bin/sh
# Makes the secrets of compose.yaml in secrets/, those that are not there yet. Keep a copy of each apart from the databases: docs/operations.md, Backups.
# WALLETMODAL runs a Python with the product: by default that of the image.
set -eu
cd "$(dirname "$0")"
run="${WALLETMODAL:-docker run --rm --network none --entrypoint python walletmodal}"

# The folder is its owner's alone. The files are read in containers by users who are nobody on this machine.
umask 022
mkdir -p secrets
chmod 700 secrets

make() {
    [ -e "secrets/$1" ] || printf '%s' "$2" >"secrets/$1"
}
random() {
    od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

make secret_key "$(random)"
make api_key "$(random)"
make recovery_token "$(random)"
make postgres_password "$(random)"
for name in modal secure recovery; do
    make "${name}_database_url" "postgresql://$name:$(random)@postgres/$name"
done
for name in redis secure_redis; do
    [ ! -e "secrets/${name}_url" ] || continue
    password="$(random)"
    # A start that finds nothing on disk begins empty, which nobody minds for longer than a moment.
    make "${name}_conf" "$(printf 'requirepass %s\nsave ""' "$password")"
    make "${name}_url" "redis://:$password@$(echo "$name" | tr _ -):6379/0"
done
[ -e secrets/embedded_kek ] || make embedded_kek "1:$($run -m walletmodal.secure key)"
if [ ! -e secrets/recovery_key ]; then
    pair="$($run -m walletmodal.secure.recovery key)"
    make recovery_key "$(echo "$pair" | sed -n 's/^RECOVERY_KEY=//p')"
    make recovery_public_key "$(echo "$pair" | sed -n 's/^RECOVERY_PUBLIC_KEY=//p')"
fi
[ -e secrets/smtp_url ] || echo "missing: secrets/smtp_url, the mail relay, such as smtps://user:password@mail.example.com:465" >&2
