import { lazy } from 'react';

// What a click opens on the list is loaded by that click.
export const SceneCodeAdd = lazy(async () => ({ default: (await import('./SceneCodeAdd.tsx')).SceneCodeAdd }));
export const SceneCodeEdit = lazy(async () => ({ default: (await import('./SceneCodeEdit.tsx')).SceneCodeEdit }));
export const CodePreview = lazy(async () => ({ default: (await import('../shared/CodePreview.tsx')).CodePreview }));
