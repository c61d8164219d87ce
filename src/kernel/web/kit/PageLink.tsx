import type { MouseEvent, ReactNode } from 'react';
import { goTo, hrefOf } from '../router/navigate.ts';

interface PageLinkProps {
  to: string;
  search?: Readonly<Record<string, unknown>>;
  children: ReactNode;
  className?: string;
}

/** A link to a page of the product; the modifier keys of the browser work as everywhere. */
export function PageLink({ to, search = {}, children, className }: PageLinkProps) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    goTo(to, search);
  };
  return (
    <a href={hrefOf(to, search)} onClick={open} className={className}>
      {children}
    </a>
  );
}
