import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { ApiError } from './api.ts';
import { App } from './app.tsx';
import './styles.css';
import { Toaster } from './ui/toast.tsx';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the server refused it will refuse again; only a lost connection or a passing failure is tried once more.
      retry: (count, error) => count < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
    },
  },
});

// A session can end at any moment (signed out elsewhere, account disabled): the next answer says so.
client.getQueryCache().subscribe(({ type, query }) => {
  const error = query.state.error;
  if (
    type === 'updated' &&
    error instanceof ApiError &&
    error.code === 'not_signed_in' &&
    query.queryKey[0] !== 'session'
  )
    void client.invalidateQueries({ queryKey: ['session'] });
});

/** wouter decodes the query as a whole, before its values are read and decoded: without this, `%26` in one would end it. */
const useExactSearch = () => useSearch().replaceAll('%', '%25');

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Router searchHook={useExactSearch}>
          <App />
          <Toaster />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
