/** Text of any value that came over the wire: lists joined, objects as JSON, nothing as the empty text. */
export function plainText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return value.toString();
    case 'boolean':
      return value ? '是' : '否';
    case 'object':
      if (value === null) return '';
      return Array.isArray(value) ? value.map(plainText).join('、') : JSON.stringify(value);
    default:
      return '';
  }
}
