import { ButtonLink } from '../ui/button.tsx';
import { Logo } from '../ui/icon.tsx';
import { useTitle } from '../ui/title.ts';

export function NotFound() {
  useTitle('Not found');
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-6 text-center">
      <Logo className="size-8" />
      <h1 className="mt-6 text-xl font-semibold tracking-[-0.02em]">There is nothing on this plate</h1>
      <p className="mt-1 text-ink-2">The page does not exist, or it is not yours to see.</p>
      <ButtonLink href="/" className="mt-6">
        Back to the start
      </ButtonLink>
    </main>
  );
}
