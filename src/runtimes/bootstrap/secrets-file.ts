/**
 * The text of the file that carries secrets to the machine. Throws where a value would be read as
 * another than it is: line breaks end a value, and a name is one that an environment can hold.
 */
export function secretsFile(secrets: Readonly<Record<string, string>>): string {
  return Object.entries(secrets)
    .map(([name, value]) => {
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        throw new Error(`\`${name}\` is no variable name`);
      if (/[\r\n\0]/.test(value)) throw new Error(`the value of \`${name}\` has a line break`);
      return `${name}=${value}\n`;
    })
    .join("");
}
