import { slot } from '../slots.tsx';

interface ObjectMarksProps {
  /** As its owner registers it on the server: `DOCTOR`. */
  objectType: string;
  objectId: string;
}

/** 标签 of a thing in its drawer: what it carries, and the acts on that. */
export const objectMarksPlace = slot<ObjectMarksProps>('objectMarks');
