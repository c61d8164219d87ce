import { describe, expect, it } from 'vitest';
import { eagerDialogs } from './eagerDialogs.ts';

const form = {
  file: 'src/domains/a/web/thing/ThingForm.tsx',
  text: `export const labels = {};\nexport function ThingForm() {\n  return (\n    <FormDrawer<typeof addThing, Values> open>\n    </FormDrawer>\n  );\n}\n`,
};
const page = (head: string, body = '<ThingForm />') => ({
  file: 'src/domains/a/web/thing/Things.tsx',
  text: `${head}\n\nexport default function Things() {\n  return (\n    <>\n      ${body}\n    </>\n  );\n}\n`,
});
const EAGER = `import { ThingForm } from './ThingForm.tsx';`;
const LAZY = `const ThingForm = lazy(async () => ({ default: (await import('./ThingForm.tsx')).ThingForm }));`;

describe('dialogs that come with their opener', () => {
  it('are named; those that are loaded by a click are not', () => {
    expect(eagerDialogs([form, page(EAGER)])).toEqual(['src/domains/a/web/thing/Things.tsx ThingForm']);
    expect(eagerDialogs([form, page(LAZY)])).toEqual([]);
    expect(eagerDialogs([form, page(`import type { ThingForm } from './ThingForm.tsx';`)])).toEqual([]);
  });

  it('are those too that are another dialog under their own name, and such a one may bring it', () => {
    const copy = {
      file: 'src/domains/a/web/thing/CopyThing.tsx',
      text: `${EAGER}\nexport function CopyThing({ of }: Props) {\n  if (!of) return <Waiting />;\n  return <ThingForm of={of} />;\n}\n`,
    };
    const opener = page(`import { CopyThing } from './CopyThing.tsx';`, '<CopyThing />');
    expect(eagerDialogs([form, copy, opener])).toEqual(['src/domains/a/web/thing/Things.tsx CopyThing']);
  });

  it('are loaded with the page where it takes anything else of their file', () => {
    expect(eagerDialogs([form, page(`import { labels } from './ThingForm.tsx';\n\n${LAZY}`)])).toEqual([
      'src/domains/a/web/thing/Things.tsx labels',
    ]);
    expect(eagerDialogs([form, page(`import { labels } from './ThingForm.tsx';`)])).toEqual([]);
  });
});
