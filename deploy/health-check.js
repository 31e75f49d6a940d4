// The container's health check: is the server of this container alive? Exit code 0 or 1.
const url = `http://127.0.0.1:${process.env.PORT || 3000}/healthz`;
fetch(url, { signal: AbortSignal.timeout(4000) }).then(
  (response) => process.exit(response.ok ? 0 : 1),
  (error) => {
    console.error(`${url}: ${error.cause?.message ?? error.message}`);
    process.exit(1);
  },
);
