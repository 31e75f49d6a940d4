import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/surface.tsx';
import { Deliveries } from './deliveries.tsx';
import { Secret } from './secret.tsx';
import { SendTest } from './send-test.tsx';

export function Page() {
  const client = useQueryClient();
  const [testing, setTesting] = useState(false);
  return (
    <>
      <PageHeader
        title="Webhooks"
        actions={
          <Button look="primary" icon="send" onClick={() => setTesting(true)}>
            Send a test
          </Button>
        }
      >
        A job or batch with a webhook calls it when it ends. Deliveries are kept for 7 days.
      </PageHeader>
      <Secret />
      <Deliveries />
      {testing && (
        <SendTest
          onClose={() => setTesting(false)}
          onSent={() => client.invalidateQueries({ queryKey: ['webhook-deliveries'] })}
        />
      )}
    </>
  );
}
