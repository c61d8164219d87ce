import { Slot } from '../slots.tsx';
import { type FileStageProps, stagePlace } from './places.ts';

/** A picture or a page of a PDF within a page (audit panels), marked and logged as every look at a file. */
export function FileStage(props: FileStageProps) {
  return <Slot of={stagePlace} props={props} fallback={<div className="kq-loading" />} />;
}
