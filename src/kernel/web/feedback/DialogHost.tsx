import { lazy, Suspense, useEffect, useState } from 'react';
import { provideDialogs } from './dialogs.tsx';
import type { Open } from './dialogs.tsx';

// Fetched behind the shell, so that a question is there at once also when the network is gone by then.
const load = () => import('./Ask.tsx');
const Ask = lazy(load);

let nextId = 1;

/** Where questions of `ask` and `confirmWithOpinion` appear, one after another. */
export function DialogHost() {
  const [queue, setQueue] = useState<readonly Open[]>([]);
  useEffect(() => {
    load().catch(() => {});
    const put = (question: Omit<Open, 'id' | 'answer'>) =>
      new Promise<string | null>((resolve) => setQueue((list) => [...list, { ...question, id: nextId++, answer: resolve }]));
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
