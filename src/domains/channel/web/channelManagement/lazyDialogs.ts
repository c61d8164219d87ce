import { lazy } from 'react';

// What a click opens on the list is loaded by that click; the tree comes after the table.
export const ChannelDrawer = lazy(async () => ({ default: (await import('./ChannelDrawer.tsx')).ChannelDrawer }));
export const ChannelForm = lazy(async () => ({ default: (await import('./ChannelForm.tsx')).ChannelForm }));
export const ChannelTree = lazy(async () => ({ default: (await import('./ChannelTree.tsx')).ChannelTree }));
