import { Slot } from '../slots.tsx';
import { type FilePreviewProps, previewPlace } from './places.ts';

/** Shows pictures, PDF pages, tables, sound and video over the page; keys ← → + - 0 R Esc. */
export function FilePreview(props: FilePreviewProps) {
  return props.files === null ? null : <Slot of={previewPlace} props={props} />;
}
