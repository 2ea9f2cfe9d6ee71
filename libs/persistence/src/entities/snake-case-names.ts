import { DefaultNamingStrategy } from 'typeorm';

/** Columns are named as in SQL: property `createdAt` is column `created_at`. Tables are named by their entity. */
export class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(property: string, given: string | undefined, prefixes: string[]): string {
    return given ?? [...prefixes, property].map(snakeCase).join('_');
  }

  override joinColumnName(relation: string, referenced: string): string {
    return `${snakeCase(relation)}_${snakeCase(referenced)}`;
  }
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
