import { BatchResult } from '../../../../kernel/web/list/BatchResult.tsx';

interface Props {
  title: string;
  done: number;
  failures: readonly { cardNo: string; message: string }[];
  onClose(): void;
}
/** Which cards of many were left as they are, and why. */
export function BatchAnswer({ title, done, failures, onClose }: Props) {
  const outcomes = [
    ...Array.from({ length: done }, () => ({ name: '', ok: true, message: '成功' })),
    ...failures.map(({ cardNo, message }) => ({ name: cardNo, ok: false, message })),
  ];
  return <BatchResult title={title} outcomes={outcomes.toReversed()} total={outcomes.length} running={false} onClose={onClose} />;
}
