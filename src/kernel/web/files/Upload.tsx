import { Skeleton } from 'antd';
import { Slot } from '../slots.tsx';
import { type UploadProps, uploadPlace } from './places.ts';

/** Files of one purpose: choose, drag or paste; progress, 取消 and 重试 per file. Works inside a form item. */
export function Upload(props: UploadProps) {
  return <Slot of={uploadPlace} props={props} fallback={<Skeleton.Node active />} />;
}
