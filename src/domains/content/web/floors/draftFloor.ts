import type { OutputOf, InputOf } from '#kernel/contract/call.ts';
import type { queryPageLayout, restorePageLayout } from '../../contract/floors/calls.ts';
import type { FloorItem } from '../../contract/floors/shape.ts';
import { audienceDraftOf } from '../delivery/audienceDraft.ts';

export type DraftFloor = OutputOf<typeof queryPageLayout>['floors'][number];
export type FloorState = InputOf<typeof restorePageLayout>['floors'][number];

/** Ids of things follow from their numbers. */
export const itemsIn = (items: readonly FloorItem[]) => items.map(({ objectId: _id, ...item }) => item);

/** A floor of a draft as calls take it. */
export const factsOfFloor = ({ id: _id, imageUrls: _urls, floorKey: _key, floorType: _type, items, audience, ...facts }: DraftFloor) => ({
  ...facts,
  items: itemsIn(items),
  audience: audienceDraftOf(audience),
});

/** The whole draft, to come back to. */
export const stateOf = (floors: readonly DraftFloor[]): FloorState[] =>
  floors.map((floor) => ({ floorKey: floor.floorKey, floorType: floor.floorType, ...factsOfFloor(floor) }));
