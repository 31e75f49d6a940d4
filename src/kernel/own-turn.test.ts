import { expect, it } from 'vitest';
import { ownTurn } from './own-turn.ts';

it('each that waits has a turn of the event loop to itself, in the order they came', async () => {
  let turn = 0;
  let counting = true;
  const count = () => {
    turn++;
    if (counting) setImmediate(count);
  };
  count();
  const turns: number[] = [];
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      await ownTurn();
      turns.push(turn);
      order.push(i);
    }),
  );
  counting = false;
  expect(new Set(turns).size).toBe(20);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});
