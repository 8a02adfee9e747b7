/** Knowledge in three languages that does not answer the questions about the moon. */
export const manual = [
  {
    title: 'Cleaning the filter',
    content:
      'The filter keeps dust out. Clean the filter every 30 days with warm water. Never use soap on it.',
    urlPattern: '/filter',
  },
  {
    title: 'Backups',
    content:
      'Backups are made every night at 2:15. They are kept for 14 days. A backup can be restored by an administrator.',
  },
  {
    title: 'Cambiar la contraseña',
    content:
      'Para cambiar la contraseña, abra el menú de la cuenta. La contraseña nueva debe tener al menos diez caracteres.',
  },
  {
    title: 'Wartung der Pumpe',
    content:
      'Die Pumpe muss alle sechs Monate geölt werden. Verwenden Sie dafür nur das mitgelieferte Öl.',
  },
];
