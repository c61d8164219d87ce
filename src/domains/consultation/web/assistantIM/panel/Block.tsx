import { useState, type ReactNode } from 'react';
import type { PanelSection } from '../desk/choose.ts';
import { useDesk, useDeskState } from '../desk/useDesk.ts';
import { Failed } from '../Failed.tsx';

/** A titled block of the panel. */
export function Block({ title, extra, children }: { title: string; extra?: ReactNode; children: ReactNode }) {
  return (
    <section className="im-block">
      <h3>
        {title}
        {extra && <span>{extra}</span>}
      </h3>
      {children}
    </section>
  );
}

interface LoadedProps<T> {
  title: string;
  section: PanelSection;
  empty: string;
  isEmpty?(data: T): boolean;
  extra?: ReactNode;
  /** What stands in place of a failure, where one can do more than try again. */
  onFailure?(error: unknown): ReactNode;
  children(data: T): ReactNode;
}

/** A block with its own loading, empty and retry state. */
export function Loaded<T>({ title, section, empty, isEmpty, extra, onFailure, children }: LoadedProps<T>) {
  const desk = useDesk();
  const state = useDeskState((all) => all.chat?.sections[section]);
  const body = () => {
    if (state === undefined || state.state === 'waiting')
      return (
        <div className="im-skeleton" aria-busy="true">
          <i />
          <i />
        </div>
      );
    if (state.state === 'failed') return onFailure?.(state.error) ?? <Failed error={state.error} onRetry={() => desk.retry(section)} />;
    const data = state.data as T | null;
    return data === null || (isEmpty?.(data) ?? false) ? <p className="im-none">{empty}</p> : children(data);
  };
  return (
    <Block title={title} extra={extra}>
      {body()}
    </Block>
  );
}

/** A block that is folded, and loads its content when it is opened first. */
export function Folded({ title, children }: { title: string; children(): ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <section className="im-block">
      <h3>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? '▾' : '▸'} {title}
        </button>
      </h3>
      {open && children()}
    </section>
  );
}
