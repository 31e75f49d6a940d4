import { useState } from 'react';
import { api } from '../../api.ts';
import { FormDialog, TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.tsx';

export function SendTest({ onClose, onSent }: { onClose: () => void; onSent: () => Promise<unknown> }) {
  const [url, setUrl] = useState('');
  return (
    <FormDialog
      title="Send a test"
      description="A signed webhook of the type test. It appears in the list of deliveries."
      action="Send"
      onClose={onClose}
      onSend={async () => {
        await api.sendTestWebhook(url);
        await onSent();
        toast('Test sent');
        onClose();
      }}
    >
      {(error) => (
        <TextField
          label="URL"
          error={error?.message}
          type="url"
          maxLength={2048}
          placeholder="https://example.com/webhooks"
          value={url}
          onText={setUrl}
        />
      )}
    </FormDialog>
  );
}
