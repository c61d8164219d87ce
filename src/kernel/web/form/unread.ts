import { createContext, useContext, useEffect, useId } from 'react';

/**
 * What stands in fields and could not be read, of one page, dialog or search form: nothing is sent as long as there is some, since the
 * value before it, or none, would go in its place.
 */
export type Unread = Map<string, string>;
export const UnreadScope = createContext<Unread>(new Map());

/** Told by a control that no form item speaks for; null: what stands in it is read. */
export function useUnread(fault: string | null): void {
  const scope = useContext(UnreadScope);
  const id = useId();
  useEffect(() => {
    if (fault === null) return undefined;
    scope.set(id, fault);
    return () => void scope.delete(id);
  }, [scope, id, fault]);
}

/** Why nothing may be sent from here; null: nothing stands in the way. */
export const unreadFault = (scope: Unread): string | null => scope.values().next().value ?? null;
