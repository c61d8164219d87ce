import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eagerDialogs } from '../../scripts/checks/eagerDialogs.ts';
import { checkImports } from '../../scripts/checks/imports.ts';
import { wideLines } from '../../scripts/checks/wideLines.ts';

const root = path.join(import.meta.dirname, '../..');
const sources = globSync(['{src,scripts,e2e,bench}/**/*.{ts,tsx,mjs}', 'migrations/*.sql'], { cwd: root }).map((file) => ({
  file: file.replaceAll(path.sep, '/'),
  text: readFileSync(path.join(root, file), 'utf8'),
}));
const own = (file: string) => file === 'src/testing/house.test.ts';
const isTest = (file: string) => /\.(test|cases)\.tsx?$|\/testing\//.test(file);

/** `file:line` of every match in the files that are asked for. */
const places = (wanted: (file: string) => boolean, pattern: RegExp, read: (text: string) => string = (text) => text): string[] =>
  sources
    .filter(({ file }) => wanted(file) && !own(file))
    .flatMap(({ file, text }) =>
      [...read(text).matchAll(pattern)].map((found) => `${file}:${text.slice(0, found.index).split('\n').length} ${found[0]}`),
    );

/** The text with everything but SQL blanked out, lines kept. */
const sqlOf = (text: string) => {
  const kept = [...text.matchAll(/\bsql(?:<[^`]*?>)?`([^`]*)`/g)].map((found) => [found.index, found.index + found[0].length] as const);
  return [...text]
    .map((letter, at) => (letter === '\n' || kept.some(([from, to]) => at >= from && at < to) ? letter : ' '))
    .join('')
    .replaceAll(/\$\{[^}]*\}/g, (inner) => ' '.repeat(inner.length));
};

const SQL_TIME =
  /\b(now\s*\(\s*\)|current_timestamp|current_date|current_time|localtimestamp|clock_timestamp|statement_timestamp|transaction_timestamp)\b|\bnow\(\)/gi;

/** What may stand in a pattern as it is: escaped text, or what the product made itself and what holds no wildcard. */
const HOLDS_NO_WILDCARD =
  /Pattern\(|\.replace(?:All)?\(\/\[\\\\%_\]\/g|^plain\b|regionPrefix\(|\(00\)\+\$|^(?:node\.path|letter|room\.roomId|input\.mobileTail|initials)$|^(?:wish\.standardDeptCode|dept)$/;

const BY_HAND = /\{\s*required: true,\s*(?:type|whitespace|message|validator)\b/;
/** Forms whose rules say themselves that a field is missing, and why. */
const DEMANDED_BY_HAND = {
  'the server refuses its absence by a code of its own, and the form says the same sentence': [
    'consultation/DeskForm.tsx',
    'corpus/ScheduleDrawer.tsx',
    'identity/MenuForm.tsx',
    'patient/ConsentForm.tsx',
    'patient/DeceasedForm.tsx',
    'patient/ToManualForm.tsx',
    'pharma/AgentForm.tsx',
  ],
  'the form holds it otherwise than the call takes it': [
    'card/ChangeForm.tsx',
    'channel/VipForm.tsx',
    'consultation/NewInquiry.tsx',
    'consultation/OpeningFields.tsx',
    'corpus/CampaignForm.tsx',
    'corpus/ContentFields.tsx',
    'corpus/RunsPanel.tsx',
    'doctor/ConfigForm.tsx',
    'doctor/PublishDialog.tsx',
    'enrolment/Decisions.tsx',
    'enrolment/NewMaterial.tsx',
    'identity/AddMembers.tsx',
    'identity/AnnouncementForm.tsx',
    'insurance/StartReplay.tsx',
    'patient/PersonFields.tsx',
  ],
  'a field for each title or parameter, which no schema names': ['doctor/BandFields.tsx', 'identity/Policy.tsx'],
};

/** A rule of a form that is no declaration of the contract, by the reason that `kernel/web/form/formRules.ts` names. */
const RULES_BY_HAND = {
  againstRecord: [
    'card/CaptureDialog.tsx',
    'card/ReversalForm.tsx',
    'card/RevokeLine.tsx',
    'doctor/PriceForm.tsx',
    'doctor/RefundDialog.tsx',
    'invoice/ExecuteForm.tsx',
    'invoice/RefundForm.tsx',
    'patient/ContactForm.tsx',
    'patient/PersonFields.tsx',
    'patient/ToManualForm.tsx',
    'patient/VerifyForm.tsx',
    'pharma/LineForms.tsx',
  ],
  againstListed: ['content/RuleForm.tsx', 'corpus/ScheduleDrawer.tsx'],
  againstNow: [
    'consultation/SnoozeDialog.tsx',
    'identity/AnnouncementForm.tsx',
    'identity/RotateKey.tsx',
    'order/ManualForm.tsx',
    'order/SupplierForm.tsx',
  ],
  asHeld: [
    'content/BindDialog.tsx',
    'doctor/BandFields.tsx',
    'doctor/CertFields.tsx',
    'doctor/ConfigForm.tsx',
    'ledger/AdjustmentForm.tsx',
    'patient/IndicatorFields.tsx',
  ],
} as const;
const NAMED_RULE = {
  againstRecord: /\b(?:againstRecord|atMost)\(/,
  againstListed: /\bagainstListed\(/,
  againstNow: /\bagainstNow\(/,
  asHeld: /\basHeld\(/,
};

describe('rules of the house', () => {
  it('follows the directions of imports', () => {
    expect(checkImports()).toEqual([]);
  });

  it('asks the clock for the time, never SQL and never the machine', () => {
    expect(
      places(
        (file) => file.endsWith('.sql'),
        SQL_TIME,
        (text) => text.replaceAll(/--.*/g, (comment) => ' '.repeat(comment.length)),
      ),
    ).toEqual([]);
    const server = (file: string) => /^src\/(domains\/[^/]+|kernel)\/server\//.test(file) && !isTest(file);
    expect(places(server, SQL_TIME, sqlOf)).toEqual([]);
    const domain = (file: string) => file.startsWith('src/domains/') && file.includes('/server/') && !isTest(file);
    expect(places(domain, /\bDate\.now\(\)|\bnew Date\(\)/g)).toEqual([]);
  });

  // Stylesheets come with the code that needs them: a class that two of them declare looks one way until the other page was opened.
  it('declares each class of styles in one place', () => {
    const places = new Map<string, Set<string>>();
    // The frame of pages of definitions is a document of its own.
    const sheets = globSync('src/**/*.css', { cwd: root, exclude: (file) => file.includes('frame') });
    expect(sheets.length).toBeGreaterThan(20);
    for (const sheet of sheets)
      for (const [, name = ''] of readFileSync(path.join(root, sheet), 'utf8').matchAll(/^\.([\w-]+)\s*[,{]/gm))
        places.set(name, (places.get(name) ?? new Set()).add(sheet));
    expect([...places].flatMap(([name, where]) => (where.size > 1 ? [`.${name}: ${[...where].join(', ')}`] : []))).toEqual([]);
  });

  it('takes no text into a pattern with its wildcards', () => {
    const server = (file: string) => /^src\/(domains\/[^/]+|kernel)\/server\//.test(file) && !isTest(file) && !file.includes('/demo/');
    const patterns = places(server, /\bi?like(?:'\s*,\s*|\s+\$\{)`[^`]*`|`%\$\{[^`]*`/g);
    expect(patterns.length).toBeGreaterThan(10);
    const holes = (pattern: string) => [...pattern.matchAll(/(?<=`[^`]*)\$\{((?:[^{}]|\{[^{}]*\})*)\}/g)].map(([, inner]) => inner!);
    expect(patterns.filter((pattern) => holes(pattern).some((inner) => !HOLDS_NO_WILDCARD.test(inner)))).toEqual([]);
  });

  it('says who changed a row, and when, by the columns of the kernel', () => {
    const byHand = /updatedAt: [^,{}]+,\s*updatedBy: [\w.?]*\bstaff(?:OrNull)?\??\./g;
    expect(places((file) => /^src\/domains\/[^/]+\/server\//.test(file), byHand)).toEqual([]);
  });

  it('writes a locked record without asking for its version again', () => {
    const asked = /\.where\('(?:\w+\.)?version', '=',|\bwhere\b[^;`]*\bversion = \$\{/g;
    const written = (file: string) => /^src\/domains\/[^/]+\/server\//.test(file) && !isTest(file) && !/[iI]mporter\.ts$/.test(file);
    expect(places(written, asked)).toEqual([]);
  });

  it('locks keys by the one scheme of the kernel', () => {
    const byHand = places((file) => /^src\/domains\/[^/]+\/server\//.test(file) && !isTest(file), /pg_(?:try_)?advisory_\w+/g);
    // Many at once in the statement that finds them, and the measured path of postings.
    const reasoned = ['src/domains/corpus/server/engine/claim.ts', 'src/domains/ledger/server/transfers/begin.ts'];
    expect(byHand.filter((place) => !reasoned.some((file) => place.startsWith(file)))).toEqual([]);
  });

  it('opens transactions in the kernel alone', () => {
    expect(places((file) => file.startsWith('src/domains/') && !isTest(file), /\.(startTransaction|transaction)\(\)/g)).toEqual([]);
  });

  it('loads dialogs and drawers by the click that opens them', () => {
    const web = sources.filter(({ file }) => /^src\/domains\/[^/]+\/web\/.*\.tsx?$/.test(file) && !isTest(file));
    expect(eagerDialogs(web)).toEqual([]);
  });

  it('has no file that has not found its room', () => {
    expect(sources.map(({ file }) => file).filter((file) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.\w+$)/i.test(file))).toEqual([]);
    const barrels = sources
      .map(({ file }) => file)
      .filter((file) => /^src\/.*\/index\.tsx?$/.test(file) && !/^src\/domains\/[^/]+\/server\/index\.ts$/.test(file));
    expect(barrels).toEqual([]);
  });

  // A stranger greps for the verb of the field: requireX, publishX, notifyX, queryX, changeXState.
  it('names modules and functions by what they do', () => {
    const vague =
      /(^|\/)(?:(?:tell|told|said|answers|standings?|stamps|gather|turn)\w*|acts?(?:[A-Z]\w*)?)(?:\.test)?\.tsx?$|\w(?:Acts?|Said|Standings?)\.tsx?$/;
    expect(sources.map(({ file }) => file).filter((file) => vague.test(file))).toEqual([]);
    const product = (file: string) => /^src\/.*\.tsx?$/.test(file) && !isTest(file);
    const declared =
      /^export (?:async )?(?:function\*?|const|interface|type|class) (?:(?:tell|demand|told|[Ss]aid|turn)(?:[A-Z]\w*)?|\w+(?:Acts?|Standings?|Said))\b/gm;
    expect(places(product, declared)).toEqual([]);
    // Locals too: what they hold is a message, an output, an outcome; what they do is toggle, publish, notify.
    const local =
      /^[ \t]*(?:export |async |for \()*(?:const|let|function\*?|interface|type|class) (?:stamps|tell|told|said|demand|acts|work|standing|turn)\b/gm;
    const code = (file: string) => /\.(?:tsx?|mjs)$/.test(file) && !isTest(file);
    expect(places(code, local)).toEqual([]);
  });

  // A reader finds what a feature registers by its folder: server/<feature>/module.ts exports <feature>Module.
  it('registers each feature of a domain as the module of its folder', () => {
    const registered = places(
      (file) => file.startsWith('src/domains/'),
      /^export (?:const|function) \w+(?=\(.*\): FeatureModule\b|: FeatureModule =| = \(.*\): FeatureModule =>)/gm,
    );
    expect(registered.length).toBeGreaterThan(50);
    const others = registered.filter((place) => {
      const [, folder, name] = /\/server\/(\w+)\/module\.ts:\d+ export \w+ (\w+)$/.exec(place) ?? [];
      return name === undefined || name !== `${folder}Module`;
    });
    // All fifteen domains join theirs alike.
    const joining = sources.filter(({ file }) => /^src\/domains\/\w+\/server\/module\.ts$/.test(file));
    expect(joining.filter(({ text }) => !text.includes('joinFeatures(kernel, ')).map(({ file }) => file)).toEqual([]);
    // `useModule` would read as a hook.
    expect(others.map((place) => place.replace(/:\d+ export const/, ''))).toEqual(['src/domains/card/server/use/module.ts cardUseModule']);
  });

  it('answers calls that export and import by what is declared as exports and importers', () => {
    // The demonstration hands tables to the importers themselves.
    const server = (file: string) =>
      /^src\/domains\/[^/]+\/server\/(?!demo\/)/.test(file) && !isTest(file) && !file.endsWith('/testKit.ts');
    expect(places(server, /\b(?:exportHandler|importHandler)\(|\bimportTasks\.start\(/g).map((place) => place.replace(/:\d+/, ''))).toEqual(
      [
        // Its columns are the roles of the moment.
        'src/domains/identity/server/roles/matrix.ts exportHandler(',
      ],
    );
  });

  // Presence, length, form and range come from the call's schema: <Field of={call} name="…" required>.
  it('demands fields by hand only where the schema of the call cannot', () => {
    const demanded = sources
      .filter(({ file, text }) => /^src\/.*\/web\/.*\.tsx$/.test(file) && !isTest(file) && BY_HAND.test(text))
      .map(({ file }) => `${file.split('/')[2]}/${path.basename(file)}`);
    expect(demanded.sort()).toEqual(Object.values(DEMANDED_BY_HAND).flat().sort());
  });

  it('checks fields by hand only for a reason that has a name', () => {
    const web = (file: string) => /^src\/.*\/web\/.*\.tsx?$/.test(file) && !isTest(file);
    const kernelForms = ['src/kernel/web/form/Field.tsx', 'src/kernel/web/form/formRules.ts'];
    expect(places((file) => web(file) && !kernelForms.includes(file), /\bvalidator\b/g)).toEqual([]);
    const users = Object.entries(NAMED_RULE).map(([reason, pattern]) => [
      reason,
      sources
        .filter(({ file, text }) => file.startsWith('src/domains/') && web(file) && pattern.test(text))
        .map(({ file }) => `${file.split('/')[2]}/${path.basename(file)}`)
        .sort(),
    ]);
    expect(Object.fromEntries(users)).toEqual(RULES_BY_HAND);
  });

  it('has the letters of a drawer or dialog registered by it, so that no field of it takes them', () => {
    const isPanel = (text: string) => /<(?:Drawer|Modal)\b/.test(text) && /\buseKeys\(/.test(text);
    const users = sources.filter(({ file, text }) => /^src\/.*\/web\/.*\.tsx$/.test(file) && isPanel(text));
    const letters = users.filter(({ text }) => [...text.matchAll(/keys: '([^']+)'/g)].some(([, keys]) => !/^(?:Ctrl|Alt|F\d)/.test(keys!)));
    // A page whose dialog has no letters of its own.
    expect(letters.map(({ file }) => path.basename(file))).toEqual(['MyExports.tsx']);
  });

  it('leaves it to the kernel where the keyboard begins in what opens over a page', () => {
    const users = places((file) => /^src\/.*\/web\/.*\.tsx$/.test(file) && !isTest(file), /\sautoFocus(?=[\s={/>])/g);
    // Pages before the layout and of patients, fields that a click puts into a page, and the row that was just added.
    expect([...new Set(users.map((place) => path.basename(place.split(':')[0]!)))].toSorted()).toEqual([
      'AddScenesDialog.tsx',
      'Again.tsx',
      'Cards.tsx',
      'EditUsePwd.tsx',
      'Entry.tsx',
      'EntryField.tsx',
      'Incoming.tsx',
      'Login.tsx',
      'LoginCode.tsx',
      'Note.tsx',
      'PriorityCell.tsx',
      'SearchPanel.tsx',
      'VisitRecord.tsx',
    ]);
  });

  it('shows amounts with their thousands, and takes numbers by the fields of the kernel', () => {
    const web = (file: string) => /^src\/domains\/.*\/web\/.*\.tsx?$/.test(file) && !isTest(file);
    expect(places(web, /\byuan\([\w.!]+\)/g)).toEqual([]);
    expect(places(web, /\bInputNumber\b/g)).toEqual([]);
  });

  it('cuts no text at its maximum while it is typed or pasted', () => {
    // In a `Field` the contract says how long it may be, elsewhere `kit/TextInput.tsx` does.
    const web = (file: string) => /^src\/.*\/web\/.*\.tsx$/.test(file) && !isTest(file);
    expect(places(web, /<(?:Input|AutoComplete)\b(?:(?!\/>|\n\s*<)[\s\S])*?\bmaxLength=/g)).toEqual([]);
  });

  // A refinement with a path is a rule between fields: forms show it at its field only where it says what it reads.
  it('declares rules between fields where forms can read them', () => {
    const contract = (file: string) => /^src\/.*\/contract\/.*\.ts$/.test(file) && !isTest(file) && !file.endsWith('contract/between.ts');
    expect(places(contract, /z\.refine\((?:(?!z\.refine\()[\s\S]){0,400}?\bpath: \[/g)).toEqual([]);
  });

  it('switches no check off and leaves nothing for later', () => {
    expect(
      places(
        (file) => !file.endsWith('.sql'),
        /\bas unknown as\b|@ts-(ignore|nocheck|expect-error)|(oxlint|eslint)-disable(?!-next-line [\w/-]+$)/gm,
      ),
    ).toEqual([]);
    expect(places(() => true, /(\/\/|\/\*|--|^\s*\*)\s*(TODO|FIXME|XXX|HACK)\b/gm)).toEqual([]);
  });

  it('says what a value is instead of silencing the question', () => {
    // Tests hand in what no page could.
    const product = (file: string) => !file.endsWith('.sql') && !isTest(file);
    expect(
      places(product, /\bas (?:never|any)\b|<any>|: any\b/g, (text) =>
        text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => comment.replaceAll(/[^\n]/g, ' ')),
      ),
    ).toEqual([]);
  });

  it('names migrations by time and domain', () => {
    const names = sources.map(({ file }) => file).filter((file) => file.endsWith('.sql'));
    expect(names.filter((file) => !/^migrations\/\d{12}_[a-z]+_[a-z0-9_]+\.sql$/.test(file))).toEqual([]);
  });

  it('runs the image with the flags of npm start', () => {
    const flags = JSON.parse(readFileSync(path.join(root, 'scripts/launch/nodeFlags.json'), 'utf8')) as string[];
    const [, command = ''] = /^CMD (.*)$/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8')) ?? [];
    expect(JSON.parse(command)).toEqual(['node', ...flags, 'scripts/serve.ts']);
  });

  // The formatter breaks neither statements nor comments. One text, template of a text or regular expression may be wide by itself:
  // without its characters the line is within the width. Migrations never change; tables.ts is generated.
  it('has no line of more than 140 characters that can be broken', () => {
    const wide = sources
      .filter(({ file }) => !file.endsWith('.sql') && !file.endsWith('/tables.ts'))
      .flatMap(({ file, text }) => wideLines(file, text).map((line) => ({ file, ...line })));
    expect(wide.filter(({ byLiteral }) => !byLiteral).map(({ file, line, width }) => `${file}:${line} ${width}`)).toEqual([]);
  });

  it('has no file of more than 500 lines', () => {
    const long = sources
      .filter(({ file }) => file.startsWith('src/') && !file.endsWith('/tables.ts') && !isTest(file))
      .filter(({ text }) => text.split('\n').length > 501);
    const sheets = globSync('src/**/*.css', { cwd: root }).map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
    expect(sheets.length).toBeGreaterThan(20);
    expect([...long, ...sheets.filter(({ text }) => text.split('\n').length > 501)].map(({ file }) => file)).toEqual([]);
  });
});
