interface StepBarProps {
  steps: readonly string[];
  /** Index of the step that is under way; the ones before it are done. */
  current: number;
  failed?: boolean;
  /** Steps may be gone to as one likes. */
  onStep?(index: number): void;
}

/** The current step of a procedure. */
export function StepBar({ steps, current, failed = false, onStep }: StepBarProps) {
  return (
    <ol className="kq-steps">
      {steps.map((step, index) => (
        <li
          key={step}
          className={index < current ? 'kq-step-done' : index === current ? `kq-step-now ${failed ? 'kq-step-failed' : ''}` : ''}
          aria-current={index === current ? 'step' : undefined}
        >
          <i aria-hidden>{index < current ? '✓' : index + 1}</i>
          {onStep ? (
            <button type="button" className="kq-step-button" onClick={() => onStep(index)}>
              {step}
            </button>
          ) : (
            step
          )}
        </li>
      ))}
    </ol>
  );
}

/** A small count beside a title; nothing when it is 0. */
export function Count({ of }: { of: number }) {
  return of > 0 ? <span className="kq-count">{of > 99 ? '99+' : of}</span> : null;
}
