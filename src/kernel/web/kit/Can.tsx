import type { ReactNode } from 'react';
import { useMay } from '../session/store.ts';

interface CanProps {
  /** Permission, or several of which one suffices. */
  permission: string | { code: string } | readonly (string | { code: string })[];
  children: ReactNode;
  otherwise?: ReactNode;
}

const isSeveral = (value: CanProps['permission']): value is readonly (string | { code: string })[] => Array.isArray(value);

/** Shows its children to who holds the permission in the active role. The server checks again. */
export function Can({ permission, children, otherwise = null }: CanProps) {
  const may = useMay();
  const allowed = isSeveral(permission) ? permission.some(may) : may(permission);
  return <>{allowed ? children : otherwise}</>;
}
