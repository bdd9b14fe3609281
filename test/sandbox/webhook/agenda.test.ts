import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAgenda } from '../../../src/sandbox/webhook/agenda.ts';

const anyStep = fc.oneof(
  fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), at: fc.option(fc.integer({ min: 0, max: 50 })) }),
  fc.record({ now: fc.integer({ min: 0, max: 50 }) }),
);

it('hands keys on in the order of time, each at the instant where it was put last', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
      const agenda = createAgenda();
      const plain = new Map<string, number>();
      for (const step of steps) {
        if ('key' in step) {
          agenda.set(step.key, step.at);
          if (step.at === null) plain.delete(step.key);
          else plain.set(step.key, step.at);
        } else {
          const due = agenda.takeDue(step.now);
          expect(new Set(due)).toEqual(new Set([...plain.keys()].filter((key) => Number(plain.get(key)) <= step.now)));
          const instants = due.map((key) => Number(plain.get(key)));
          expect(instants).toEqual(instants.toSorted((a, b) => a - b));
          for (const key of due) plain.delete(key);
        }
        expect(agenda.nextAt()).toBe(plain.size === 0 ? null : Math.min(...plain.values()));
      }
    }),
  );
});

it('forgets everything when it is cleared', () => {
  const agenda = createAgenda();
  agenda.set('a', 1);
  agenda.clear();
  expect([agenda.nextAt(), agenda.takeDue(5)]).toEqual([null, []]);
});
