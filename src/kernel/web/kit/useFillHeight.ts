import { useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

const HEADER = 37;
const LEAST = 160;

/** Height in pixels left for the rows inside a box that the layout stretches. */
export function useFillHeight(box: RefObject<HTMLDivElement | null>, active: boolean): number | undefined {
  const [height, setHeight] = useState<number>();
  useLayoutEffect(() => {
    const element = box.current;
    if (!active || !element) return undefined;
    const measure = () => {
      const next = Math.max(LEAST, Math.floor(element.clientHeight) - HEADER);
      // A hidden tab measures nothing; its last height stays.
      if (element.clientHeight > 0) setHeight(next);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, active]);
  return height;
}
