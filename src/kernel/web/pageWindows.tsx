import type { ComponentType } from 'react';
import type { PageWindow } from '../contract/pageWindow.ts';
import { fill, slot, Slot, type Filling, type SlotPlace } from './slots.tsx';

/** What a window of a page of definitions is given. */
export interface PageWindowProps {
  /** What the row says in the column that the definition names; '' of a window that is opened alone. */
  record: string;
  /** Rows behind it are read anew once it closes. */
  onChanged(): void;
  onClose(): void;
}

const placeOf = (name: string): SlotPlace<PageWindowProps> => slot(`window:${name}`);

/** Gives a declared window its browser part: `fillWindow(billLinesWindow, lazy(() => import('./BillWindow.tsx')))`. */
export const fillWindow = ({ name }: PageWindow, component: ComponentType<PageWindowProps>): Filling => fill(placeOf(name), component);

export const OpenedWindow = ({ name, ...props }: PageWindowProps & { name: string }) => <Slot of={placeOf(name)} props={props} />;
