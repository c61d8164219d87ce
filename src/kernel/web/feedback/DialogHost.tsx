import { lazy, Suspense, useEffect, useState } from 'react';
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
  useEffect(() => {
    load().catch(() => {});
    // The second click of a double click is none: nobody answers it.
    const put = (question: Asked) =>
      new Promise<string | null>((resolve) =>
        setQueue((list) => (list.some((one) => isSame(one, question)) ? list : [...list, { ...question, id: nextId++, answer: resolve }])),
      );
    provideDialogs({
      ask: async (question) => (await put(question)) !== null,
      askOpinion: (question) => put({ ...question, opinion: question.opinion ?? 'required' }),
    });
  }, []);
  const current = queue[0];
  if (!current) return null;
  const done = (value: string | null) => {
    current.answer(value);
    setQueue((list) => list.slice(1));
  };
  return (
    <Suspense fallback={null}>
      <Ask key={current.id} question={current} onDone={done} />
    </Suspense>
  );
}
