import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearSession, keepWork, keptWork } from '../session/storage.ts';
import { useCaseState } from './caseState.ts';

/** A tab's storage as browsers have it: its keys are its own. */
class TabStorage {
  getItem(key: string): string | null {
    const value: unknown = Reflect.get(this, key);
    return typeof value === 'string' ? value : null;
  }
  setItem(key: string, value: string): void {
    Reflect.set(this, key, value);
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

beforeEach(() => void vi.stubGlobal('sessionStorage', new TabStorage()));
afterEach(() => void vi.unstubAllGlobals());

const kept = { as: 'desk', read: (stored: unknown) => (typeof stored === 'string' ? stored : undefined) };

function opinionOf(caseId: string): string {
  function Desk() {
    return useCaseState(caseId, '', kept)[0];
  }
  return renderToStaticMarkup(<Desk />);
}

it('a case begins with what was written of it before a reload, each with its own, anything else with nothing', () => {
  keepWork('desk:1', '材料不全');
  keepWork('desk:2', 7);
  keepWork('other:3', '别处');
  expect(['1', '2', '3'].map(opinionOf)).toEqual(['材料不全', '', '']);
});

it('what is kept ends with the session, or when it is dropped; a broken one is nothing', () => {
  keepWork('desk:1', '材料不全');
  keepWork('desk:2', '重复');
  keepWork('desk:2', undefined);
  sessionStorage.setItem('work:desk:3', '{');
  sessionStorage.setItem('theirs', 'stays');
  expect([keptWork('desk:1'), keptWork('desk:2'), keptWork('desk:3')]).toEqual(['材料不全', undefined, undefined]);
  clearSession();
  expect([keptWork('desk:1'), sessionStorage.getItem('theirs')]).toEqual([undefined, 'stays']);
});
