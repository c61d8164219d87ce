import { useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

/** Least width of a search field and the gap between two, as in kit.css. */
const FIELD = 290;
const GAP = 16;
const PADDING = 24;

/** How many search fields stand beside each other; two at least. */
export function useColumns(form: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(() => columnsIn(window.innerWidth - 60));
  useLayoutEffect(() => {
    const element = form.current;
    if (!element) return undefined;
    const measure = () => {
      if (element.clientWidth > 0) setColumns(columnsIn(element.clientWidth - PADDING));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [form]);
  return columns;
}

const columnsIn = (width: number): number => Math.max(2, Math.floor((width + GAP) / (FIELD + GAP)));
