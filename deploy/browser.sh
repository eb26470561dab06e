#!/bin/sh
# A browser that Pilotfish on other machines may use: `sh deploy/browser.sh`, then there
# PILOTFISH_BROWSER__REMOTE='["http://ADDRESS:9222"]'. Whoever reaches the port has the browser: let only workers reach it.
# Chromium listens on loopback alone; with HOST set, socat passes on what comes to that address.
set -eu
port=${PORT:-9222}
profile=$(mktemp -d)
trap 'rm -rf "$profile"; [ -z "${pass:-}" ] || kill "$pass" 2>/dev/null' EXIT
trap 'kill "$browser" 2>/dev/null' INT TERM
mkdir -p "$profile/Default"
printf %s '{"net": {"network_prediction_options": 2}}' >"$profile/Default/Preferences"
if [ -n "${HOST:-}" ]; then
    socat "TCP-LISTEN:$port,bind=$HOST,fork,reuseaddr" "TCP:127.0.0.1:$port" &
    pass=$!
fi
TMPDIR="$profile" "${CHROMIUM:-chromium}" --headless=new --remote-debugging-port="$port" --user-data-dir="$profile" \
    --enable-automation --no-first-run --no-default-browser-check --disable-gpu --hide-scrollbars --mute-audio \
    --disable-background-networking --disable-component-update --disable-extensions --password-store=basic \
    '--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,WebUIOmniboxPopup,SpareRendererForSitePerProcess,Reporting,NetworkErrorLogging' \
    --disable-quic \
    --disable-sync \
    --disable-domain-reliability \
    --disable-client-side-phishing-detection \
    '--disable-blink-features=BackgroundFetch,FedCm,AttributionReporting,AdInterestGroupAPI,Fledge,FencedFrames,TopicsAPI' \
    --no-pings \
    --webrtc-ip-handling-policy=disable_non_proxied_udp \
    --force-webrtc-ip-handling-policy \
    --enable-blink-features=WebMCP "$@" &
browser=$!
# The first wait ends with the signal, the second with the browser.
wait "$browser" || wait "$browser" || true
