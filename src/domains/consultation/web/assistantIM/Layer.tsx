import { Suspense, type ReactNode } from 'react';

/** What a click opens is fetched by that click. */
export const Layer = ({ children }: { children: ReactNode }) => <Suspense fallback={null}>{children}</Suspense>;
