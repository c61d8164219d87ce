import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { TextArea, TextInput, TextSearch } from './TextInput.tsx';

const none = () => {};

describe('a text that is too long', () => {
  it.each([
    ['one line', <TextInput key="a" most={3} value="一二三四" onChange={none} />],
    ['several lines', <TextArea key="b" most={3} value="一二三四" onChange={none} />],
    ['a search', <TextSearch key="c" most={3} value="一二三四" onChange={none} />],
    ['a text that the field keeps to itself', <TextInput key="d" most={3} defaultValue="一二三四" />],
  ])('stays whole and is marked: %s', (_what, field) => {
    const html = renderToStaticMarkup(field);
    expect(html).toContain('一二三四');
    expect(html).toContain('status-error');
    expect(html.toLowerCase()).not.toContain('maxlength');
  });

  it('is none as long as it fits', () => {
    expect(renderToStaticMarkup(<TextInput most={4} value="一二三四" onChange={none} />)).not.toContain('status-error');
    expect(renderToStaticMarkup(<TextArea most={4} value="一二三四" onChange={none} showCount />)).toContain('4 / 4');
  });
});
