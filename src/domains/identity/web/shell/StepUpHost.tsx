import { lazy, Suspense, useEffect, useState } from 'react';
import { provideStepUp } from '#kernel/web/session/stepUp.ts';
import { entryErrors } from '../../contract/entryErrors.ts';

const StepUpDialog = lazy(() => import('./StepUpDialog.tsx'));

/** Where the dialog 身份确认 appears while the main layout is shown; any page may await it through the kernel. */
export default function StepUpHost() {
  const [answer, setAnswer] = useState<((proved: boolean) => void) | null>(null);
  useEffect(() => {
    provideStepUp({
      code: entryErrors.STEP_UP_NEEDED.code,
      confirm: () => new Promise<boolean>((resolve) => setAnswer(() => resolve)),
    });
    return () => provideStepUp(undefined);
  }, []);
  if (!answer) return null;
  const done = (proved: boolean) => {
    setAnswer(null);
    answer(proved);
  };
  return (
    <Suspense fallback={null}>
      <StepUpDialog onDone={done} />
    </Suspense>
  );
}
