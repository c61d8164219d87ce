import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { provideDialogs } from './dialogs.tsx';
import type { Open } from './dialogs.tsx';

// Fetched behind the shell, so that a question is there at once also when the network is gone by then.
const load = () => import('./Ask.tsx');
const Ask = lazy(load);

let nextId = 1;

type Asked = Omit<Open, 'id' | 'answer'>;
/** What a double click asks twice; contents that are drawn are new ones each time. */
const isSame = (one: Asked, other: Asked): boolean =>
  one.title === other.title && one.label === other.label && (one.content === other.content || typeof one.content === 'object');

/** Where questions of `ask` and `confirmWithOpinion` appear, one after another. */
export function DialogHost() {
  const [queue, setQueue] = useState<readonly Open[]>([]);
  const asked = useRef<readonly Open[]>([]);
  const keep = (questions: readonly Open[]) => setQueue((asked.current = questions));
  useEffect(() => {
    load().catch(() => {});
    // The second click of a double click asks nothing: it is answered as if it had been cancelled.
    provideDialogs(
      (question) =>
        new Promise((resolve) => {
          if (asked.current.some((one) => isSame(one, question))) resolve(null);
          else keep([...asked.current, { ...question, id: nextId++, answer: resolve }]);
        }),
    );
  }, []);
  const current = queue[0];
  if (!current) return null;
  const done = (value: string | null) => {
    current.answer(value);
    keep(asked.current.slice(1));
  };
  return (
    <Suspense fallback={null}>
      <Ask key={current.id} question={current} onDone={done} />
    </Suspense>
  );
}
