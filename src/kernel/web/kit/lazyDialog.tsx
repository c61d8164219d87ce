import { createElement, lazy, Suspense, useRef } from 'react';
import type { ComponentType, ReactNode } from 'react';

/** A dialog whose code is fetched when it is first shown; nothing is shown in its place meanwhile. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function LazyDialog(props: Props): ReactNode {
    return <Suspense fallback={null}>{createElement(Loaded, props)}</Suspense>;
  };
}

/**
 * A drawer that is rendered beside its page whether it is open or not: fetched when it is first opened, and kept from then on, so that it
 * closes with its motion.
 */
export function lazyDrawer<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isOpen: (props: Props) => boolean,
): ComponentType<Props> {
  const Dialog = lazyDialog(load);
  return function LazyDrawer(props: Props): ReactNode {
    const opened = useRef(false);
    opened.current ||= isOpen(props);
    return opened.current ? createElement(Dialog, props) : null;
  };
}
