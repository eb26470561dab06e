/** A picture of the server; a page that came from elsewhere fetches it with its token. */
import { useEffect, useState } from "preact/hooks";
import { isElsewhere, request } from "../api/http";

type Shown = { src: string; alt: string; loading?: "lazy" };

export function Picture({ src, ...rest }: Shown) {
  const [loaded, setLoaded] = useState("");
  useEffect(() => {
    if (!isElsewhere()) return;
    let address = "";
    const stop = new AbortController();
    request(src, { signal: stop.signal })
      .then(async (response) => response.ok && setLoaded((address = URL.createObjectURL(await response.blob()))))
      .catch(() => {});
    return () => {
      stop.abort();
      if (address) URL.revokeObjectURL(address);
    };
  }, [src]);
  return <img src={isElsewhere() ? loaded || undefined : src} {...rest} />;
}
