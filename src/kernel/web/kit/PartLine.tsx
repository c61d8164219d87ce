import { createContext, use, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';

type Line = RefObject<HTMLElement | null>;
const LineContext = createContext<Line | null>(null);

interface PartLineProps {
  tabs: ReactNode;
  /** Stands at the end of the line instead of a list's tools. */
  beside?: ReactNode;
  /** What the tabs choose from. */
  children: ReactNode;
}

/** Tabs above a list share their line with its tools, as far as both have room. */
export function PartLine({ tabs, beside, children }: PartLineProps) {
  const end = useRef<HTMLDivElement>(null);
  return (
    <>
      <div className="kq-part-line">
        {tabs}
        <div className="kq-part-tools" ref={beside === undefined ? end : null}>
          {beside}
        </div>
      </div>
      <LineContext value={beside === undefined ? end : null}>{children}</LineContext>
    </>
  );
}

/**
 * Where the tools of the list in this box stand: at the end of the tabs' line, for the first list below them; null: above the list itself;
 * undefined: not known before the list is laid out.
 */
export function useToolPlace(box: RefObject<HTMLElement | null>): HTMLElement | null | undefined {
  const line = use(LineContext);
  const [place, setPlace] = useState<HTMLElement | null | undefined>(line ? undefined : null);
  useLayoutEffect(() => {
    const end = line?.current;
    const isBelow = end && box.current?.closest('.kq-page-layers') === end.closest('.kq-page-layers');
    if (!end || !isBelow || end.dataset['taken']) {
      setPlace(null);
      return undefined;
    }
    end.dataset['taken'] = 'true';
    setPlace(end);
    return () => void delete end.dataset['taken'];
  }, [line, box]);
  return place;
}
