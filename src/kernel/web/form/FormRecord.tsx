import { Drawer, Skeleton } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { AnswerOf, Call, InputOf } from '../../contract/call.ts';
import { useData } from '../http/queries.ts';
import { TableFailure } from '../kit/TableState.tsx';

/** A record that comes at once shows its form at once; only who waits longer sees that he waits. */
const AT_ONCE_MS = 250;

interface FormRecordProps<C extends Call> {
  /** Reads the record. */
  call: C;
  input: InputOf<C>;
  /** Of the drawer while it is read. */
  title: string;
  width: number;
  onClose(): void;
  /** The form over the record. */
  children(record: AnswerOf<C>): ReactNode;
}

/**
 * The form of a record that is read first. What was read first is edited: another reading, after a colleague's
 * change for example, must neither exchange the version under the operator's hands nor fill his fields anew.
 */
export function FormRecord<C extends Call>({ call, input, title, width, onClose, children }: FormRecordProps<C>) {
  const { data, error, readHere, refetch } = useData(call, input, { quiet: true });
  const first = useRef<AnswerOf<C>>(undefined);
  // Not what another place read some time ago: its version may be over.
  if (readHere && !error) first.current ??= data;
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), AT_ONCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (first.current !== undefined) return children(first.current);
  if (!late && !error) return null;
  return (
    <Drawer open size={width} title={title} onClose={onClose}>
      {error ? <TableFailure error={error} onRetry={() => void refetch()} /> : <Skeleton active paragraph={{ rows: 8 }} />}
    </Drawer>
  );
}
