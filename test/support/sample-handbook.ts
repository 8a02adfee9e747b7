/** A handbook in three languages with related entries, for conversations that move between them. */
export const handbook = {
  en: [
    {
      title: 'Installing on Linux',
      content:
        'On Linux the program is installed from the package source. Run the following command as root:\n\n```\napt install heron\n```\n\nThe installation takes about five minutes. A restart is needed, because the driver is loaded when the system starts.',
      urlPattern: '/install/linux',
    },
    {
      title: 'Installing on Windows',
      content:
        'On Windows the program is installed with the setup file heron.msi. Open the file and follow the steps. The installation takes about twelve minutes. Administrator rights are needed, since a service is registered.',
      urlPattern: '/install/windows',
    },
    {
      title: 'Updates',
      content:
        'Updates are offered every Tuesday. An update keeps all settings and documents. To go back to the version before, choose Restore in the menu Help.',
    },
    {
      title: 'Licences and prices',
      content:
        'A licence is valid for one person and two devices.\n\n| Licence | Price per month | Support |\n| --- | --- | --- |\n| Basic | 4 euros | e-mail |\n| Studio | 11 euros | telephone |\n\nA licence can be cancelled at the end of each month.',
    },
  ],
  es: [
    {
      title: 'Instalación en Linux',
      content:
        'En Linux el programa se instala desde la fuente de paquetes. Ejecute la orden siguiente como root:\n\n```\napt install garza\n```\n\nLa instalación tarda unos cinco minutos. Hay que reiniciar el equipo, porque el controlador se carga al arrancar el sistema.',
      urlPattern: '/instalar/linux',
    },
    {
      title: 'Instalación en Windows',
      content:
        'En Windows el programa se instala con el archivo garza.msi. Abra el archivo y siga los pasos. La instalación tarda unos doce minutos. Se necesitan derechos de administrador, ya que se registra un servicio.',
      urlPattern: '/instalar/windows',
    },
    {
      title: 'Actualizaciones',
      content:
        'Las actualizaciones se ofrecen cada martes. Una actualización conserva todos los ajustes y documentos. Para volver a la versión anterior, elija Restaurar en el menú Ayuda.',
    },
    {
      title: 'Licencias y precios',
      content:
        'Una licencia vale para una persona y dos dispositivos.\n\n| Licencia | Precio al mes | Asistencia |\n| --- | --- | --- |\n| Básica | 4 euros | correo |\n| Estudio | 11 euros | teléfono |\n\nUna licencia se puede cancelar al final de cada mes.',
    },
  ],
  de: [
    {
      title: 'Installation unter Linux',
      content:
        'Unter Linux wird das Programm aus der Paketquelle installiert. Führen Sie den folgenden Befehl als root aus:\n\n```\napt install reiher\n```\n\nDie Installation dauert etwa fünf Minuten. Ein Neustart ist nötig, weil der Treiber beim Start des Systems geladen wird.',
      urlPattern: '/installation/linux',
    },
    {
      title: 'Installation unter Windows',
      content:
        'Unter Windows wird das Programm mit der Setupdatei reiher.msi installiert. Öffnen Sie die Datei und folgen Sie den Schritten. Die Installation dauert etwa zwölf Minuten. Administratorrechte sind nötig, da ein Dienst eingetragen wird.',
      urlPattern: '/installation/windows',
    },
    {
      title: 'Aktualisierungen',
      content:
        'Aktualisierungen werden jeden Dienstag angeboten. Eine Aktualisierung behält alle Einstellungen und Dokumente. Um zur vorigen Version zurückzukehren, wählen Sie Wiederherstellen im Menü Hilfe.',
    },
    {
      title: 'Lizenzen und Preise',
      content:
        'Eine Lizenz gilt für eine Person und zwei Geräte.\n\n| Lizenz | Preis im Monat | Unterstützung |\n| --- | --- | --- |\n| Basis | 4 Euro | E-Mail |\n| Studio | 11 Euro | Telefon |\n\nEine Lizenz kann zum Ende jedes Monats gekündigt werden.',
    },
  ],
};
